import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Group, start } from '../deploy/processes.ts';
import { browserOf, type Visit } from '../support/browsing.ts';
import type { LogInServer } from '../support/oidc-log-in.ts';
import { keycloakEnvironment, keycloakProgram } from './program.ts';
import { CLIENT, PASSWORD, REALM, realmWith } from './realm.ts';

const START_MS = 15 * 60_000;

const ADMINISTRATOR = 'administrator';

/** A person at Keycloak, with the browser of the person. */
export interface Person extends LogInServer {
  /** Logs out at Keycloak, as the link on the log-in page does. @returns the address to which Keycloak leads back. */
  logOut: (redirectUri: string) => Promise<URL>;
  /** Whether Keycloak asks for the password again. */
  mustLogIn: (redirectUri: string) => Promise<boolean>;
}

/** A Keycloak of its own, with the realm of `realm.ts` in its memory. */
export interface Keycloak {
  issuer: string;
  person: (name: string) => Person;
  /** A request to the administration of the realm. @throws Error for a status other than 2xx. */
  administer: (method: string, path: string, body?: unknown) => Promise<any>;
  /** The id of a user or of a group. */
  idOf: (kind: 'users' | 'groups', name: string) => Promise<string>;
  stop: () => Promise<void>;
}

async function addressOf(program: Group): Promise<string> {
  const deadline = performance.now() + START_MS;
  const ended = program.ended.then(() => true);
  for (;;) {
    const address = /Listening on: (http:\/\/127\.0\.0\.1:\d+)/.exec(program.said())?.[1];
    if (address !== undefined) return address;
    if ((await Promise.race([ended, delay(100, false)])) || performance.now() > deadline)
      throw new Error(`Keycloak does not start: ${program.said()}`);
  }
}

const unescaped = (text: string) => text.replaceAll('&amp;', '&');

/** The first form of a page with POST, and its hidden fields. */
function formOf({ url, page }: Visit): { action: URL; fields: URLSearchParams } {
  const [, attributes = '', content = ''] =
    /<form([^>]*method="post"[^>]*)>([\s\S]*?)<\/form>/i.exec(page?.text ?? '') ?? [];
  const action = /action="([^"]*)"/.exec(attributes)?.[1];
  if (action === undefined) throw new Error(`The page has no form: ${page?.text}`);
  const fields = new URLSearchParams();
  for (const [input] of content.matchAll(/<input[^>]*>/g)) {
    const name = /name="([^"]*)"/.exec(input)?.[1];
    if (name !== undefined && /type="(hidden|submit)"/.test(input))
      fields.set(name, unescaped(/value="([^"]*)"/.exec(input)?.[1] ?? ''));
  }
  return { action: new URL(unescaped(action), url), fields };
}

function personAt(issuer: string, name: string): Person {
  const { origin } = new URL(issuer);
  const visit = browserOf(origin);
  const protocol = `${issuer}/protocol/openid-connect`;
  const authorize = async (parameters: Record<string, string>) =>
    visit(new URL(`${protocol}/auth?${String(new URLSearchParams(parameters))}`));
  return {
    issuer,
    clientId: CLIENT.clientId,
    clientSecret: CLIENT.secret,
    authorize: async (parameters) => {
      const first = await authorize(parameters);
      if (first.page === undefined) return first.url;
      const { action, fields } = formOf(first);
      fields.set('username', name);
      fields.set('password', PASSWORD);
      const { url, page } = await visit(action, fields);
      if (page !== undefined) throw new Error(`Keycloak answered ${page.status}: ${page.text}`);
      return url;
    },
    logOut: async (redirectUri) => {
      const parameters = { client_id: CLIENT.clientId, post_logout_redirect_uri: redirectUri };
      const first = await visit(new URL(`${protocol}/logout?${String(new URLSearchParams(parameters))}`));
      if (first.page === undefined) return first.url;
      const { action, fields } = formOf(first);
      return (await visit(action, fields)).url;
    },
    mustLogIn: async (redirect_uri) => {
      const parameters = { client_id: CLIENT.clientId, response_type: 'code', scope: 'openid', redirect_uri };
      const challenge = { code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' };
      return (await authorize({ ...parameters, ...challenge })).page !== undefined;
    },
  };
}

async function parsed(response: Response): Promise<any> {
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status} of ${response.url}: ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

/** The administration of Keycloak. Each request has a token of its own: they end after a minute. */
function administrationOf(address: string, password: string) {
  return async (method: string, path: string, body?: unknown): Promise<any> => {
    const grant = { grant_type: 'password', client_id: 'admin-cli', username: ADMINISTRATOR, password };
    const url = `${address}/realms/master/protocol/openid-connect/token`;
    const { access_token: token } = await parsed(
      await fetch(url, { method: 'POST', body: new URLSearchParams(grant) }),
    );
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    return parsed(await fetch(`${address}/admin/realms${path}`, { method, headers, ...content }));
  };
}

/** Starts Keycloak on a free port of loopback. @throws Error when it does not start. */
export async function startKeycloak(redirectUri: string, backChannelLogoutUrl: string): Promise<Keycloak> {
  const password = randomUUID();
  const administrator = { KC_BOOTSTRAP_ADMIN_USERNAME: ADMINISTRATOR, KC_BOOTSTRAP_ADMIN_PASSWORD: password };
  const options = ['--http-enabled=true', '--http-host=127.0.0.1', '--http-port=0', '--hostname-strict=false'];
  const command = ['bash', await keycloakProgram(), 'start', '--optimized', '--cache=local', ...options];
  const program = start(command, { cwd: '/', env: { ...keycloakEnvironment, ...administrator } });
  try {
    const address = await addressOf(program);
    const all = administrationOf(address, password);
    await all('POST', '', realmWith(redirectUri, backChannelLogoutUrl));
    const issuer = `${address}/realms/${REALM}`;
    const administer: Keycloak['administer'] = (method, path, body) => all(method, `/${REALM}${path}`, body);
    return {
      issuer,
      administer,
      person: (name) => personAt(issuer, name),
      idOf: async (kind, name) => {
        const query = kind === 'users' ? { username: name } : { search: name };
        const [existing] = await administer('GET', `/${kind}?exact=true&${String(new URLSearchParams(query))}`);
        return existing.id;
      },
      stop: program.crash,
    };
  } catch (error) {
    await program.crash();
    throw error;
  }
}
