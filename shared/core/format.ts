/**
 * Forms of bodies and replies, with their media types. `ndjson` is a JSON value per line:
 * https://github.com/ndjson/ndjson-spec; `openmetrics` is text: https://prometheus.io/docs/specs/om/open_metrics_spec/
 */
export const mediaTypes = {
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
} as const;

export type Format = keyof typeof mediaTypes;

export type MediaType = (typeof mediaTypes)[Format];
