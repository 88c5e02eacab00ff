/*
 * The commands that messages name. The package of the server has others (tools/package-server.ts).
 */

/** Starts the server, for example with an option or behind a variable. */
export const START = 'npm start';

export const startWith = (option: string): string => `${START} -- ${option}`;

/** Copies the data folder; a folder follows. */
export const BACK_UP = 'npm run backup --';
