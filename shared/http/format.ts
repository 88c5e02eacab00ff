/** Forms of bodies and replies, with their media types. `ndjson` is a JSON value per line: https://github.com/ndjson/ndjson-spec */
export const mediaTypes = { json: 'application/json', ndjson: 'application/x-ndjson' } as const;

export type Format = keyof typeof mediaTypes;

export type MediaType = (typeof mediaTypes)[Format];
