import { Menu, MenuButton, MenuItem, MenuList, MenuPopover, MenuTrigger } from "@fluentui/react-components";

/** Another way to insert the chosen data. */
export interface Way {
  label: string;
  isPossible: boolean;
  insert(): void;
}

/** The menu beside the button that inserts. */
export default function OtherWays({ ways }: { ways: readonly Way[] }) {
  return (
    <Menu positioning={{ position: "above", align: "end", autoSize: true }}>
      <MenuTrigger disableButtonEnhancement>
        <MenuButton aria-label="Other ways to insert" />
      </MenuTrigger>
      <MenuPopover>
        <MenuList>
          {ways.map(({ label, isPossible, insert }) => (
            <MenuItem key={label} disabled={!isPossible} onClick={insert}>
              {label}
            </MenuItem>
          ))}
        </MenuList>
      </MenuPopover>
    </Menu>
  );
}
