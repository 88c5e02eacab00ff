/** The time of day of this process. */
export const timeOfDay = (): Date => new Date();
