/** Templates of the URLs of dashboards, by name. Variables such as `${node_name}` are fields of the object that links to it. */
export type DashboardLinks = Readonly<Record<string, string>>;

export const MAX_DASHBOARD_LINKS = 10;

/** The setting is a variable of the functions, whose variables have 4 KB together. */
const MAX_LENGTH = 2000;

/** The values that the setting accepts, in words that follow "must be". */
export const DASHBOARD_LINKS_WANTED = `names and http or https URLs as name=URL, separated by commas, at most ${MAX_DASHBOARD_LINKS}`;

const VARIABLE = /\$\{([a-z][a-z_]{0,62})\}/g;

// No variable is part of the scheme, the host or the port: a name in the inventory never decides where a link leads.
const TEMPLATE = /^https?:\/\/[A-Za-z0-9.:[\]-]+([/?#]\S*)?$/;

function isTemplate(url: string): boolean {
  const example = url.replace(VARIABLE, 'x');
  return TEMPLATE.test(url) && !example.includes('${') && URL.canParse(example);
}

/**
 * Parses the setting: `name=URL`, several separated by commas. A comma in a URL is written as `%2C`.
 *
 * @returns undefined if a name is empty, too long or repeated, if a URL is no template of an http or https URL, or for too many links.
 */
export function parseDashboardLinks(text: string): DashboardLinks | undefined {
  if (text.trim() === '') return {};
  if (text.length > MAX_LENGTH) return undefined;
  const links = text.split(',').map((part) => {
    const [name = '', url = ''] = part.split(/=(.*)/s);
    return [name.trim(), url.trim()] as const;
  });
  const isValid = links.every(([name, url]) => name !== '' && name.length <= 64 && isTemplate(url));
  const byName = Object.fromEntries(links);
  const isUnique = Object.keys(byName).length === links.length;
  return isValid && isUnique && links.length <= MAX_DASHBOARD_LINKS ? byName : undefined;
}

/**
 * The segments `.` and `..` of a path, in any spelling: URL parsers remove them, and `..` with the segment before it.
 */
function dotSegments(url: string): number {
  const [path = ''] = url.split(/[?#]/, 1);
  return path.split(/[\\/]/).filter((segment) => /^(\.|%2e){1,2}$/i.test(segment)).length;
}

/**
 * The URL of a dashboard for an object, with percent-encoded values.
 *
 * @param fields the fields of the object.
 * @returns undefined if the object lacks a field of the template: the dashboard is for objects of another kind or type.
 *   Also if a value makes a segment of the path `.` or `..`: no encoding prevents that the link leads to another page.
 */
export function dashboardUrl(template: string, fields: Readonly<Record<string, unknown>>): string | undefined {
  const missing: string[] = [];
  const url = template.replace(VARIABLE, (_, name: string) => {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if ((typeof value === 'string' && value !== '') || typeof value === 'number')
      return encodeURIComponent(String(value)).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
    missing.push(name);
    return '';
  });
  const isElsewhere = dotSegments(url) !== dotSegments(template);
  return missing.length === 0 && !isElsewhere ? url : undefined;
}
