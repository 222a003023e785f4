import { playGroup } from "./play-group";
import { excelFaults } from "./excel-faults";

playGroup("excel", excelFaults);
