/** That an endpoint will go, since when that is known, and where to read what takes its place. */
export interface Deprecation {
  /** Day from which on clients should move, in UTC: `2027-03-01`. */
  since: string;
  /** First day on which it may be gone, in UTC. */
  sunset: string;
  /** Absolute URL of a page for people. */
  link: string;
}

/** How long a deprecated endpoint is kept at least; promised to clients in docs/versioning.md. */
export const MIN_MONTHS_TO_SUNSET = 12;

/** Deprecation (RFC 9745), Sunset (RFC 8594), and the link between the two. */
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

/** Why this deprecation may not be published; undefined when it may. */
export function deprecationFault({ since, sunset, link }: Deprecation): string | undefined {
  if (!isDay(since) || !isDay(sunset)) return 'its dates do not have the form 2027-03-01';
  const earliest = new Date(since);
  earliest.setUTCMonth(earliest.getUTCMonth() + MIN_MONTHS_TO_SUNSET);
  if (new Date(sunset) < earliest)
    return `its sunset is less than ${MIN_MONTHS_TO_SUNSET} months after its deprecation`;
  // What is printed into a header must not be able to end its place there.
  if (!/^https:\/\/[^\s<>"]+$/.test(link)) return 'its link is not a URL';
  return undefined;
}
