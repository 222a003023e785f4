import { CommandType, ICommandService } from "@univerjs/core";
import {
  ContextMenuGroup,
  ContextMenuPosition,
  IContextMenuService,
  ILayoutService,
  IMenuManagerService,
  MenuItemType,
} from "@univerjs/preset-sheets-core";
import type { Book } from "./univer";

/** The menu that a right-click, Shift+F10 or the menu key opens on cells. */
export interface CellMenu {
  /** Adds a menu below it, at its end. */
  addToCellMenu(label: string, items: readonly { label: string; choose(): void }[]): void;
}

const SHEET = "canvas[id^=univer-sheet-main-canvas]";
/** Menus that are closed stay in the page, without the second class. */
const OPEN_MENU = ".univer-popup[class*=univer-popup-enter]";
const SUBMENU = "[data-u-context-menu-submenu]";
/** A press opens a menu after the next frame or two. */
const LOOKS = 100;
const MS_BETWEEN_LOOKS = 20;

export function createCellMenu(book: Book, container: HTMLElement): CellMenu {
  const commands = book.injector.get(ICommandService);
  const menus = book.injector.get(IMenuManagerService);
  steerByKeys(book, container);
  let count = 0;
  return {
    addToCellMenu(label, items) {
      const id = `workbench.cell-menu-${(count += 1)}`;
      const entries = items.map((item, order) => {
        const command = `${id}.${order + 1}`;
        const handler = () => {
          item.choose();
          return true;
        };
        commands.registerCommand({ id: command, type: CommandType.COMMAND, handler });
        const menuItemFactory = () => ({ id: command, type: MenuItemType.BUTTON, title: item.label });
        return [command, { order, menuItemFactory }] as const;
      });
      const menu = {
        order: count,
        menuItemFactory: () => ({ id, type: MenuItemType.SUBITEMS, title: label }),
        ...Object.fromEntries(entries),
      };
      menus.mergeMenu({
        [ContextMenuPosition.MAIN_AREA]: { [ContextMenuGroup.OTHERS]: { [id]: menu } },
      });
    },
  };
}

/** Univer opens and steers its menus by the mouse alone. */
function steerByKeys(book: Book, container: HTMLElement): void {
  const menu = book.injector.get(IContextMenuService);
  const layout = book.injector.get(ILayoutService);
  /** The buttons whose menus are open, one below the other. */
  const openers: HTMLElement[] = [];

  function buttons(): HTMLElement[] {
    const submenus = document.querySelectorAll(SUBMENU);
    const level = openers.length > 0 ? submenus[openers.length - 1] : document.querySelector(OPEN_MENU);
    const all = level?.querySelectorAll<HTMLElement>("button:not(:disabled)") ?? [];
    return [...all].filter((button) => button.checkVisibility({ visibilityProperty: true }));
  }

  function focusFirst(looks = LOOKS): void {
    const [first] = menu.visible ? buttons() : [];
    if (first) first.focus();
    else if (looks > 0) setTimeout(() => focusFirst(looks - 1), MS_BETWEEN_LOOKS);
  }

  const trigger = menu.triggerContextMenu.bind(menu);
  menu.triggerContextMenu = (event, type) => {
    openers.length = 0;
    trigger(event, type);
    focusFirst();
  };

  function openAtSelection(): void {
    const sheet = container.querySelector(SHEET)?.getBoundingClientRect() ?? new DOMRect();
    const cell = book.facade().getActiveRange()?.getCellRect() ?? new DOMRect();
    const at = {
      clientX: sheet.left + Math.min(cell.right, sheet.width / 2),
      clientY: sheet.top + Math.min(cell.bottom, sheet.height / 2),
    };
    menu.triggerContextMenu(new MouseEvent("contextmenu", at) as never, ContextMenuPosition.MAIN_AREA);
  }

  const focused = () => document.activeElement as HTMLElement;
  function step(by: number): void {
    const all = buttons();
    const at = all.indexOf(focused());
    all[at < 0 ? 0 : (at + by + all.length) % all.length]?.focus();
  }
  function openBelow(): boolean {
    const button = focused();
    // The arrow at its end says that it has a menu.
    if (!buttons().includes(button) || !button.querySelector(":scope > svg")) return false;
    button.click();
    openers.push(button);
    focusFirst();
    return true;
  }
  function closeBelow(): boolean {
    const opener = openers.pop();
    opener?.focus();
    const entry = opener?.parentElement;
    // As the mouse would leave it for another entry.
    entry?.dispatchEvent(new MouseEvent("mouseout", { bubbles: true, relatedTarget: entry.parentElement }));
    return opener !== undefined;
  }
  const keys: Record<string, () => boolean | void> = {
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    ArrowRight: openBelow,
    Enter: openBelow,
    ArrowLeft: closeBelow,
    Escape() {
      menu.hideContextMenu();
      layout.focus();
    },
  };

  document.addEventListener("keydown", (event) => {
    const isMenuKey = event.key === "ContextMenu" || (event.shiftKey && event.key === "F10");
    if (isMenuKey && container.contains(event.target as Node)) {
      event.preventDefault();
      openAtSelection();
    } else if (menu.visible && keys[event.key]?.() !== false && event.key in keys) {
      event.preventDefault();
    }
  });
}
