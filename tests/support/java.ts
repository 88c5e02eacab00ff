/**
 * Java with its first compiler alone: in a program that runs for minutes, the second one takes more processor time than the
 * faster code saves.
 */
export const FIRST_COMPILER = '-XX:TieredStopAtLevel=1';
