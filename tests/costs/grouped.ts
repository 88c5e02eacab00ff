/** Hosts of the requests that are counted. */
export const GROUPED_HOSTS = 500;

/** Table units for one relay request with unchanged reports from all these hosts. */
export const groupedUnits = {
  /** The stored times last until the next report. */
  unwritten: { readUnits: 15, writeUnits: 0 },
  /** They do not: one write for all hosts. */
  written: { readUnits: 15, writeUnits: 1 },
  /** Once a day each heartbeat is stored again, and the hosts join a group again. */
  renewed: { readUnits: 2550, writeUnits: 2734 },
} as const;
