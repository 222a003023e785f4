import { playGroup } from "./play-group";
import { serviceFaults } from "./service-faults";

playGroup("service", serviceFaults);
