/** The deprecation of an endpoint. */
export interface Deprecation {
  /** The day from which clients should migrate, in UTC: `2027-03-01`. */
  since: string;
  /** The first day on which the endpoint may be removed, in UTC. */
  sunset: string;
  /** Absolute URL of a page that describes the replacement. */
  link: string;
}

/** The least time between deprecation and removal; promised to clients in docs/versioning.md. */
export const MIN_MONTHS_TO_SUNSET = 12;

/** The headers Deprecation (RFC 9745) and Sunset (RFC 8594), and the link to the page. */
export function deprecationHeaders({ since, sunset, link }: Deprecation): Record<string, string> {
  return {
    Deprecation: `@${Date.parse(since) / 1000}`,
    Sunset: new Date(sunset).toUTCString(),
    Link: `<${link}>; rel="deprecation"; type="text/html"`,
  };
}

const isDay = (text: string) => {
  const date = new Date(text);
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === text;
};

/** Why this deprecation must not be published; undefined when it may. */
export function deprecationFault({ since, sunset, link }: Deprecation): string | undefined {
  if (!isDay(since) || !isDay(sunset)) return 'its dates do not have the form 2027-03-01';
  const earliest = new Date(since);
  earliest.setUTCMonth(earliest.getUTCMonth() + MIN_MONTHS_TO_SUNSET);
  if (new Date(sunset) < earliest)
    return `its sunset is less than ${MIN_MONTHS_TO_SUNSET} months after its deprecation`;
  // The link must not contain characters that end it within the header.
  if (!/^https:\/\/[^\s<>"]+$/.test(link)) return 'its link is not a URL';
  return undefined;
}
