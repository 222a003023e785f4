import { Menu, MenuButton, MenuItem, MenuList, MenuPopover, MenuTrigger } from "@fluentui/react-components";
import { MoreHorizontal16Regular } from "@fluentui/react-icons";
import type { Ref } from "react";

/** An action that a menu offers. */
export interface MenuAction {
  label: string;
  isPossible: boolean;
  act(): void;
}

/** A menu of further actions. It loads later than the buttons beside it, because its script is large. */
export default function MoreMenu({
  label,
  actions,
  button,
  isSmall = false,
}: {
  /** The name that a screen reader says, such as "Other ways to insert". */
  label: string;
  actions: readonly MenuAction[];
  button?: Ref<HTMLButtonElement>;
  isSmall?: boolean;
}) {
  return (
    <Menu positioning={{ position: isSmall ? "below" : "above", align: "end", autoSize: true }}>
      <MenuTrigger disableButtonEnhancement>
        <MenuButton
          ref={button}
          aria-label={label}
          {...(isSmall && { size: "small" as const, menuIcon: null, icon: <MoreHorizontal16Regular /> })}
        />
      </MenuTrigger>
      <MenuPopover>
        <MenuList>
          {actions.map(({ label: name, isPossible, act }) => (
            <MenuItem key={name} disabled={!isPossible} onClick={act}>
              {name}
            </MenuItem>
          ))}
        </MenuList>
      </MenuPopover>
    </Menu>
  );
}
