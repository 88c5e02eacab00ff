import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { describeError, type Log } from '../../../shared/core/log.ts';
import type { Table } from '../../../shared/db/table.ts';
import { documentsOf } from '../../api/logins/oidc/oidc-documents.ts';
import { type Identity, redeemCode } from '../../api/logins/oidc/identity.ts';
import { grantOfPerson, userOfIdentity } from '../../api/logins/oidc/person.ts';
import { type OidcProvider, titleOf } from '../../api/logins/oidc/provider.ts';
import { noteFailure, ProviderFailure } from '../../api/logins/provider-failure.ts';
import { LogInRefusal } from '../../contract/refusal.ts';
import { findUser } from '../../store/credentials/users.ts';
import { authorizationAddress, cookieFor, endedCookie, newLogIn, pendingIn } from './log-in.ts';
import { pageReply } from './page.ts';

export interface TenantInventory {
  name: string;
  /** The address of its console. */
  url: string;
  /** The names of the providers of this page that are also providers of the inventory. */
  providers: readonly string[];
  table: Table;
}

export interface ListDependencies {
  providers: readonly OidcProvider[];
  inventories: () => Promise<readonly TenantInventory[]>;
  clock: () => Date;
  log: Log;
}

type Reply = APIGatewayProxyStructuredResultV2;

const again = { text: 'Log in again', address: '/' };

const refusal = (sentence: string) =>
  pageReply({ status: 401, heading: 'The log-in was refused', sentences: [sentence], links: [again] });

/** Leaves for the provider. @throws ProviderFailure */
async function begin(provider: OidcProvider, redirectUri: string, { clock, log }: ListDependencies): Promise<Reply> {
  const { metadata } = await documentsOf(provider, { table: undefined, clock, log });
  const pending = newLogIn(provider);
  const place = { endpoint: metadata.authorization_endpoint, redirectUri };
  return {
    statusCode: 302,
    headers: { Location: authorizationAddress(provider, place, pending), 'Cache-Control': 'no-store' },
    cookies: [cookieFor(pending)],
  };
}

/**
 * The role that a log-in of the person would have at an inventory now; undefined: none. A user whom an Admin of it has disabled has
 * none. Two reads.
 */
async function roleAt(
  { table }: TenantInventory,
  provider: OidcProvider,
  identity: Identity,
): Promise<string | undefined> {
  try {
    const { role } = await grantOfPerson(provider, identity, { table });
    const user = await findUser(table, userOfIdentity(provider, identity).user_id);
    return user?.disabled === true ? undefined : role;
  } catch (error) {
    if (error instanceof LogInRefusal) return undefined;
    throw error;
  }
}

/** The page of a person: the inventories with a role, and no name of another one. */
async function listFor(provider: OidcProvider, identity: Identity, dependencies: ListDependencies): Promise<Reply> {
  const inventories = (await dependencies.inventories()).filter(({ providers }) => providers.includes(provider.name));
  const roles = await Promise.allSettled(inventories.map((inventory) => roleAt(inventory, provider, identity)));
  const failures = roles.flatMap((result) => (result.status === 'rejected' ? [describeError(result.reason)] : []));
  for (const cause of failures) dependencies.log({ level: 'error', message: 'an inventory cannot be read', cause });
  const links = inventories.flatMap(({ name, url }, index) => {
    const result = roles[index];
    return result?.status === 'fulfilled' && result.value !== undefined
      ? [{ text: name, address: url, note: result.value }]
      : [];
  });
  const none = 'No inventory has a role for you. Ask the administrator of yours for a role binding.';
  const incomplete = 'Some inventories cannot be read at the moment, so the list may be incomplete.';
  return pageReply({
    status: 200,
    heading: 'Your inventories',
    sentences: [...(links.length === 0 ? [none] : []), ...(failures.length > 0 ? [incomplete] : [])],
    links,
  });
}

/** Redeems the code in the address, if this browser has begun the log-in. @throws LogInRefusal; ProviderFailure. */
async function finish(event: APIGatewayProxyEventV2, redirectUri: string, dependencies: ListDependencies) {
  const { code, state, iss } = event.queryStringParameters ?? {};
  const pending = pendingIn(event.cookies ?? []);
  const provider = dependencies.providers.find(({ name }) => name === pending?.provider);
  if (pending === undefined || provider === undefined || pending.state !== state)
    return refusal('This log-in did not begin in this browser, or began more than ten minutes ago.');
  if (code === undefined) return refusal(`${titleOf(provider)} refused the log-in, or you cancelled it.`);
  const { nonce, code_verifier } = pending;
  const { clock, log } = dependencies;
  const proof = { code, nonce, code_verifier, redirect_uri: redirectUri, iss };
  const identity = await redeemCode(provider, proof, { table: undefined, clock, log });
  return listFor(provider, identity, dependencies);
}

/** Without a provider in the address: the only one, or a choice. */
async function chooseProvider(event: APIGatewayProxyEventV2, redirectUri: string, dependencies: ListDependencies) {
  const { providers } = dependencies;
  const { provider: chosen } = event.queryStringParameters ?? {};
  const [first] = providers.length === 1 ? providers : providers.filter(({ name }) => name === chosen);
  if (first !== undefined) return begin(first, redirectUri, dependencies);
  const links = providers.map((one) => ({ text: titleOf(one), address: `/?provider=${one.name}` }));
  return pageReply({ status: 200, heading: 'Log in', links });
}

/**
 * The page with the inventories of several tenants that a person may open. Every visit is a log-in: the page keeps no
 * session.
 */
export function listInventories(dependencies: ListDependencies) {
  return async (event: APIGatewayProxyEventV2): Promise<Reply> => {
    const { queryStringParameters: query = {}, requestContext, rawPath } = event;
    if (rawPath !== '/' || requestContext.http.method !== 'GET')
      return pageReply({ status: 404, heading: 'Not found', links: [again] });
    const redirectUri = `https://${requestContext.domainName}/`;
    const isReturn = query['state'] !== undefined;
    try {
      if (!isReturn) return await chooseProvider(event, redirectUri, dependencies);
      return { ...(await finish(event, redirectUri, dependencies)), cookies: [endedCookie] };
    } catch (error) {
      if (error instanceof LogInRefusal) return { ...refusal('The identity is not valid.'), cookies: [endedCookie] };
      if (!(error instanceof ProviderFailure)) throw error;
      noteFailure(error, dependencies.log);
      return pageReply({ status: 503, heading: 'Log-in does not work', sentences: [error.message], links: [again] });
    }
  };
}
