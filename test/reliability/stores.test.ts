import { playGroup } from "./play-group";
import { storeFaults } from "./store-faults";

playGroup("stores", storeFaults);
