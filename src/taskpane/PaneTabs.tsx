import { makeStyles, Tab, TabList } from "@fluentui/react-components";
import { DocumentTable20Regular, TableAdd20Regular, TextQuote20Regular } from "@fluentui/react-icons";
import { useLayoutEffect, useRef } from "react";

/** The tabs by their screens' names. */
const tabs = {
  data: { label: "Get data", icon: <TableAdd20Regular /> },
  workbook: { label: "In this workbook", icon: <DocumentTable20Regular /> },
  source: { label: "Source", icon: <TextQuote20Regular /> },
} as const;
export type TabName = keyof typeof tabs;

/** Which tabs show their labels. The others show their icons. */
type Labels = "all" | "selected" | "none";

const heard = {
  "& .fui-Tab__icon": { display: "flex" },
  // For those who listen, the label is still the tab's name.
  "& .fui-Tab__content": { position: "absolute", clipPath: "inset(50%)" },
  // Fluent's own room for the label in bold.
  "& .fui-Tab__content--reserved-space": { display: "none" },
} as const;

const useStyles = makeStyles({
  tabs: {
    flex: 1,
    minWidth: 0,
    "& .fui-Tab": { flexShrink: 0 },
    "& .fui-Tab__content": { whiteSpace: "nowrap" },
    "& .fui-Tab__icon": { display: "none" },
    "&[data-labels=selected] [aria-selected=false]": heard,
    "&[data-labels=none] [role=tab]": heard,
  },
});

/** The pane's tabs. If their labels don't fit beside each other, the selected tab alone keeps its label, or none does. */
export function PaneTabs({
  selected,
  onSelect,
}: {
  /** Another name than a tab's if the screen that is shown has none. */
  selected: string;
  onSelect: (name: TabName) => void;
}) {
  const styles = useStyles();
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return;
    const shownTabs = [...element.querySelectorAll<HTMLElement>("[role=tab]")];
    const fit = () => {
      for (const labels of ["all", "selected", "none"] satisfies Labels[]) {
        element.dataset.labels = labels;
        const widthPx = shownTabs.reduce((sum, { offsetWidth }) => sum + offsetWidth, 0);
        if (widthPx <= element.clientWidth) return;
      }
    };
    fit();
    // The labels' own sizes change with the font and its spacing.
    const observer = new ResizeObserver(fit);
    observer.observe(element);
    for (const label of element.querySelectorAll(".fui-Tab__content")) observer.observe(label);
    return () => observer.disconnect();
  }, [selected]);
  return (
    <TabList
      ref={list}
      aria-label="RegData"
      size="small"
      className={styles.tabs}
      selectedValue={selected}
      onTabSelect={(_, { value }) => onSelect(value as TabName)}
    >
      {Object.entries(tabs).map(([name, { label, icon }]) => (
        <Tab
          key={name}
          value={name}
          id={`${name}-tab`}
          aria-controls={`${name}-panel`}
          icon={icon}
          title={label}
        >
          {label}
        </Tab>
      ))}
    </TabList>
  );
}
