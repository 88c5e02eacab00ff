import {
  type AuthorizationServer,
  authorizationCodeGrantRequest,
  type Client,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  clockSkew,
  clockTolerance,
  getValidatedIdTokenClaims,
  JWT_TIMESTAMP_CHECK,
  jwksCache,
  KEY_SELECTION,
  None,
  OperationProcessingError,
  processAuthorizationCodeResponse,
  processRefreshTokenResponse,
  processUserInfoResponse,
  refreshTokenGrantRequest,
  ResponseBodyError,
  skipStateCheck,
  skipSubjectCheck,
  type TokenEndpointResponse,
  UnsupportedOperationError,
  userInfoRequest,
  validateApplicationLevelSignature,
  validateAuthResponse,
  WWWAuthenticateChallengeError,
} from 'oauth4webapi';
import { secondsOf } from '../../../shared/core/seconds.ts';
import { LogInRefusal } from '../../contract/refusal.ts';
import { clientSecretOf, type OidcProvider } from './provider.ts';
import type { ProviderDocuments } from '../../store/credentials/issuer-documents.ts';
import { documentsOf, newerDocumentsOf, requestOptions } from './oidc-documents.ts';
import type { Services } from '../provider-documents.ts';
import { admittedClaims, checkAddressee, hasPossibleTimes } from '../admitted-identity.ts';
import { ProviderFailure } from '../provider-failure.ts';
import { logInTime, reasonOf } from '../provider-fetch.ts';
import { TOLERANCE_SECONDS } from '../provider-clock.ts';

/** A person, as the provider has just confirmed it. */
export interface Identity {
  subject: string;
  claims: Readonly<Record<string, unknown>>;
  refreshToken: string | undefined;
  /** The session at the provider, if its ID token names it, and when that was signed. */
  sid: string | undefined;
  issuedAt: number;
}

/** The redirect from the provider, and what the tab had kept for it. */
export interface CodeProof {
  code: string;
  code_verifier: string;
  nonce: string;
  redirect_uri: string;
  /** The parameter of RFC 9207, if the provider sent it. */
  iss?: string | undefined;
}

async function authenticationOf(
  provider: OidcProvider,
  metadata: AuthorizationServer,
  services: Services,
): Promise<ClientAuth> {
  const secret = await clientSecretOf(provider, services);
  if (secret === undefined) return None();
  const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = metadata;
  return methods.includes('client_secret_basic') ? ClientSecretBasic(secret) : ClientSecretPost(secret);
}

/** The clock of the library, in seconds since 1970. */
const libraryNow = () => Math.floor(Date.now() / 1000);

/** The settings of the client; its clock is that of the service. */
const clientOf = ({ clientId }: OidcProvider, { clock }: Services): Client => ({
  client_id: clientId,
  [clockSkew]: secondsOf(clock()) - libraryNow(),
  [clockTolerance]: TOLERANCE_SECONDS,
});

/** The failure in words, or the refusal of the proof. `error` is of a request to the provider, or a check of its reply. */
function failureOf(provider: OidcProvider, error: unknown): Error {
  if (error instanceof ProviderFailure || error instanceof LogInRefusal) return error;
  const isOfClient =
    (error instanceof ResponseBodyError && ['invalid_client', 'unauthorized_client'].includes(error.error)) ||
    (error instanceof WWWAuthenticateChallengeError && error.status === 401);
  if (isOfClient)
    return new ProviderFailure(provider, 'client', 'it refuses the client. Check the client id and the client secret.');
  if (error instanceof ResponseBodyError) return new LogInRefusal('invalid_code');
  if (error instanceof OperationProcessingError && error.code === JWT_TIMESTAMP_CHECK && hasPossibleTimes(error.cause))
    return new ProviderFailure(
      provider,
      'clock',
      'the times of its ID token do not fit the clock of this server. Set both clocks by NTP.',
    );
  // Another status, or a body that is no JSON.
  const isUnexpected =
    error instanceof OperationProcessingError &&
    (error.cause instanceof Response || error.cause instanceof SyntaxError);
  if (isUnexpected)
    return new ProviderFailure(
      provider,
      'unreachable',
      `${provider.issuer} does not answer as expected (${error.message}).`,
    );
  if (error instanceof OperationProcessingError || error instanceof UnsupportedOperationError)
    return new LogInRefusal('invalid_identity');
  return new ProviderFailure(
    provider,
    'unreachable',
    `${provider.issuer} does not answer (${reasonOf(error)}). Check the address, and that this service can reach it.`,
  );
}

/** Checks the signature of the ID token in this response. An unknown key is looked for once more at the provider. */
async function checkSignature(
  response: Response,
  provider: OidcProvider,
  documents: ProviderDocuments,
  services: Services,
): Promise<void> {
  const check = ({ metadata, jwks }: ProviderDocuments) =>
    // A copy: the library keeps keys by this object.
    validateApplicationLevelSignature({ ...metadata }, response, {
      ...requestOptions(provider),
      [jwksCache]: { jwks, uat: libraryNow() },
    });
  try {
    await check(documents);
  } catch (error) {
    const isUnknown = error instanceof OperationProcessingError && error.code === KEY_SELECTION;
    const newer = isUnknown ? await newerDocumentsOf(provider, services) : undefined;
    if (newer === undefined) throw error;
    await check(newer);
  }
}

interface Reply {
  response: Response;
  tokens: TokenEndpointResponse;
  /** For further requests of the same log-in. */
  options: ReturnType<typeof requestOptions>;
}

/** All claims of the person: those of the ID token, and those of the UserInfo endpoint, where some providers put groups. */
async function identityOf(
  { response, tokens, options }: Reply,
  subject: string | undefined,
  provider: OidcProvider,
  documents: ProviderDocuments,
  services: Services,
): Promise<Identity> {
  const { metadata } = documents;
  const claims = getValidatedIdTokenClaims(tokens);
  if (claims !== undefined) {
    await checkSignature(response, provider, documents, services);
    checkAddressee({ ...claims }, { audience: provider.clientId, isClient: true });
  }
  const expected = claims?.sub ?? subject;
  if (expected === undefined || (subject !== undefined && expected !== subject))
    throw new LogInRefusal('invalid_identity');
  const client = clientOf(provider, services);
  const info =
    metadata.userinfo_endpoint === undefined
      ? undefined
      : await processUserInfoResponse(
          metadata,
          client,
          claims === undefined && subject === undefined ? skipSubjectCheck : expected,
          await userInfoRequest(metadata, client, tokens.access_token, options),
        );
  // Without an ID token and without UserInfo nothing says who it is.
  if (claims === undefined && metadata.userinfo_endpoint === undefined) throw new LogInRefusal('invalid_identity');
  const sid = claims?.['sid'];
  const admitted = (said: object | undefined) => (said === undefined ? {} : admittedClaims({ ...said }, provider));
  return {
    subject: expected,
    claims: { ...admitted(info), ...admitted(claims) },
    refreshToken: tokens.refresh_token,
    ...{ sid: typeof sid === 'string' ? sid : undefined, issuedAt: claims?.iat ?? 0 },
  };
}

/**
 * Exchanges the code for the identity of the person. Issuer, audience, nonce, times, signature and the verifier of the
 * code are checked, and that the reply is of this provider and not of another one.
 *
 * @throws LogInRefusal; ProviderFailure.
 */
export async function redeemCode(provider: OidcProvider, proof: CodeProof, services: Services): Promise<Identity> {
  const options = requestOptions(provider, logInTime());
  const documents = await documentsOf(provider, services);
  const { metadata } = documents;
  const client = clientOf(provider, services);
  const { code, code_verifier: verifier, nonce, redirect_uri: redirect, iss } = proof;
  try {
    const parameters = new URLSearchParams({ code, ...(iss === undefined ? {} : { iss }) });
    const checked = validateAuthResponse(metadata, client, parameters, skipStateCheck);
    const authentication = await authenticationOf(provider, metadata, services);
    const response = await authorizationCodeGrantRequest(
      metadata,
      client,
      authentication,
      checked,
      redirect,
      verifier,
      options,
    );
    const tokens = await processAuthorizationCodeResponse(metadata, client, response, {
      expectedNonce: nonce,
      requireIdToken: true,
    });
    return await identityOf({ response, tokens, options }, undefined, provider, documents, services);
  } catch (error) {
    throw failureOf(provider, error);
  }
}

/**
 * The present claims of a person whose session has a refresh token, with the token for the next time: the same one, if the provider sends
 * no other.
 *
 * @throws LogInRefusal when the provider refuses the token; ProviderFailure.
 */
export async function refreshIdentity(
  provider: OidcProvider,
  { refreshToken, subject }: { refreshToken: string; subject: string },
  services: Services,
): Promise<Identity & { refreshToken: string }> {
  const options = requestOptions(provider, logInTime());
  const documents = await documentsOf(provider, services);
  const { metadata } = documents;
  const client = clientOf(provider, services);
  try {
    const response = await refreshTokenGrantRequest(
      metadata,
      client,
      await authenticationOf(provider, metadata, services),
      refreshToken,
      options,
    );
    const tokens = await processRefreshTokenResponse(metadata, client, response);
    const identity = await identityOf({ response, tokens, options }, subject, provider, documents, services);
    return { ...identity, refreshToken: identity.refreshToken ?? refreshToken };
  } catch (error) {
    throw failureOf(provider, error);
  }
}
