// Generated from the contracts in functions/ by `npm run generate`: change those, not this file.

/** The largest requests that the server takes. */
export const MAX_BULK_BYTES = 2097152;
export const MAX_IMPORT_OBJECTS = 1000;
export const MAX_OPERATIONS = 500;
