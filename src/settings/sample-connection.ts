/** The name of the connection to sample data in the storage. The workbench writes it; elsewhere there is none. */
export const sampleConnectionKey = "regdata.sample-connection";
