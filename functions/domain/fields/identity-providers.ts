import * as z from 'zod/mini';

/** A provider of identities that log-ins accept. Secrets are named, not contained. */
export type IdentityProvider = z.output<typeof jwtProvider> | z.output<typeof oidcProvider>;

export const MAX_PROVIDERS = 10;

/** The setting is a variable of the functions, whose variables have 4 KB together. */
const MAX_PROVIDERS_LENGTH = 2800;

/** In seconds, of keys that programs get. */
export const PROGRAM_KEY_SECONDS = { least: 60, usual: 900, most: 3600 } as const;

/** The life of a session of a person without a refresh token, by default. */
export const SESSION_MINUTES = 60;

const words = z.registry<{ readonly wanted: string }>();

/** A field, and the values that it accepts in words that follow "must be". */
function field<Schema extends z.core.$ZodType>(schema: Schema, wanted: string): Schema {
  words.add(schema, { wanted });
  return schema;
}

const matching = (pattern: RegExp, wanted: string) => field(z.string().check(z.regex(pattern)), wanted);

/** An issuer as a token contains it: compared as text. */
export function isIssuer(text: string): boolean {
  if (text.length > 512 || !URL.canParse(text)) return false;
  const { protocol, hostname, username, password, search, hash } = new URL(text);
  const isPlain = [username, password, search, hash].every((part) => part === '') && !/[?#]$/.test(text);
  return isPlain && (protocol === 'https:' || (protocol === 'http:' && isLoopbackName(hostname)));
}

/** Whether an issuer of this host is this machine: only there an address without TLS is accepted. */
const isLoopbackName = (hostname: string) => ['localhost', '127.0.0.1', '[::1]'].includes(hostname);

/** A public key of a JSON Web Key Set: private and symmetric keys are refused. */
const publicKey = z.looseObject({ kty: z.enum(['RSA', 'EC', 'OKP']) }).check(
  z.refine((key) => ['d', 'k', 'p', 'q'].every((part) => !Object.hasOwn(key, part))),
  z.refine(({ kty, n, x }) => typeof (kty === 'RSA' ? n : x) === 'string'),
);

const claimName = matching(/^[^\s\p{Cc}]{1,128}$/u, 'the name of a claim, at most 128 characters without spaces');

const trueOrFalse = field(z.optional(z.boolean()), 'true or false');

const common = {
  name: matching(
    /^(?!(local|registrar)$)[a-z][a-z0-9-]{0,31}$/,
    'a lower-case letter, then up to 31 lower-case letters, digits or hyphens, and not local or registrar',
  ),
  issuer: field(
    z.string().check(z.refine(isIssuer)),
    'an https URL without query and fragment, exactly as in the tokens of the provider (http only on localhost)',
  ),
  usernameClaim: z.optional(claimName),
  /** Whether each e-mail address of the provider is verified, although its tokens lack `email_verified`; default: false. */
  emailIsVerified: trueOrFalse,
};

const optionalSeconds = field(
  z.optional(z.int().check(z.minimum(PROGRAM_KEY_SECONDS.least), z.maximum(PROGRAM_KEY_SECONDS.most))),
  `a whole number of seconds from ${PROGRAM_KEY_SECONDS.least} to ${PROGRAM_KEY_SECONDS.most}`,
);

const text = matching(/^[^\p{Cc}]{1,256}$/u, '1 to 256 characters');

const jwtProvider = z.strictObject({
  ...common,
  kind: z.literal('jwt'),
  /** The value of `aud` in the tokens: it names this deployment. */
  audience: text,
  /** Public keys of an issuer that this service cannot reach; default: those that the issuer publishes. */
  keys: field(
    z.optional(z.strictObject({ keys: z.array(publicKey).check(z.minLength(1), z.maxLength(10)) })),
    'a JSON Web Key Set with 1 to 10 public keys, without private parts',
  ),
  /** Whether each token works once; default: true. */
  oneTimeUse: trueOrFalse,
  keySeconds: optionalSeconds,
});

const wholeMinutes = (least: number, most: number) =>
  field(
    z.optional(z.int().check(z.minimum(least), z.maximum(most))),
    `a whole number of minutes from ${least} to ${most}`,
  );

const oidcProvider = z.strictObject({
  ...common,
  kind: z.literal('oidc'),
  clientId: text,
  /** Where the secret of the client is: in Secrets Manager, or in a file of this machine. Absent for a public client. */
  clientSecretArn: z.optional(text),
  clientSecretFile: z.optional(text),
  scopes: field(
    z.optional(z.array(matching(/^[\x21\x23-\x5b\x5d-\x7e]{1,64}$/, 'a scope')).check(z.maxLength(10))),
    'a list of at most 10 scopes',
  ),
  /** The name that the log-in page shows; default: `name`. */
  displayName: z.optional(text),
  /** The addresses of the console, as registered at the provider: a log-in returns to one of them, compared as text. */
  redirectUris: field(
    z.array(z.string().check(z.refine(isIssuer))).check(z.minLength(1), z.maxLength(5)),
    'a list of 1 to 5 addresses of the console, each an https URL as registered at the provider (http only on localhost)',
  ),
  /** Minutes after which a session reads the claims anew, by the refresh token of the provider; default: 10. */
  renewMinutes: wholeMinutes(1, 60),
  /** The life of a session without a refresh token; default: SESSION_MINUTES. */
  sessionMinutes: wholeMinutes(5, 720),
  /** How long sessions are renewed while the provider does not answer; default: 60. */
  oidcGraceMinutes: wholeMinutes(0, 720),
});

const kinds = { jwt: jwtProvider, oidc: oidcProvider } as const;

const isKind = (kind: unknown): kind is keyof typeof kinds => typeof kind === 'string' && Object.hasOwn(kinds, kind);

/** The words for the values of a field; of an optional field, those of its inner schema. */
function wantedFor(schema: z.core.$ZodType): string {
  return words.get(schema)?.wanted ?? (schema instanceof z.ZodMiniOptional ? wantedFor(schema.def.innerType) : '');
}

/** A sentence for each problem of one provider. */
function problemsOf(value: unknown, number: number): string[] {
  const record = z.safeParse(z.record(z.string(), z.unknown()), value);
  if (!record.success) return [`Provider ${number} must be an object.`];
  const { kind, name } = record.data;
  const title = `Provider ${typeof name === 'string' ? JSON.stringify(name) : number}`;
  if (!isKind(kind)) return [`${title}: kind must be ${Object.keys(kinds).join(' or ')}.`];
  const { shape } = kinds[kind];
  const schemas = new Map<string, z.core.$ZodType>(Object.entries(shape));
  const unknown = Object.keys(record.data).filter((key) => !schemas.has(key));
  const wrong = [...schemas].filter(([key, schema]) => !z.safeParse(schema, record.data[key]).success);
  return [
    ...unknown.map(
      (key) => `${title} has the unknown field ${JSON.stringify(key)}. Fields: ${[...schemas.keys()].join(', ')}.`,
    ),
    ...wrong.map(([key, schema]) =>
      record.data[key] === undefined
        ? `${title} lacks ${key}: ${wantedFor(schema)}.`
        : `${title}: ${key} must be ${wantedFor(schema)}.`,
    ),
  ];
}

/** Names are unique; so are issuers of one kind, because a token names only its issuer. */
function duplicatesIn(providers: readonly IdentityProvider[]): string[] {
  const names = providers.map(({ name }) => name);
  const issuers = providers.map(({ kind, issuer }) => `${kind} ${issuer}`);
  return providers.flatMap(({ name, issuer }, index) => [
    ...(names.indexOf(name) < index ? [`Two providers have the name "${name}".`] : []),
    ...(issuers.indexOf(issuers[index] ?? '') < index
      ? [`Provider "${name}" has the issuer ${issuer} of another one.`]
      : []),
  ]);
}

/** @returns the providers, or a sentence for each problem. */
export function readIdentityProviders(
  value: unknown,
): { providers: readonly IdentityProvider[] } | { problems: string[] } {
  if (!Array.isArray(value)) return { problems: ['Identity providers must be a list.'] };
  const list: readonly unknown[] = value;
  if (list.length > MAX_PROVIDERS) return { problems: [`Give at most ${MAX_PROVIDERS} identity providers.`] };
  if (JSON.stringify(list).length > MAX_PROVIDERS_LENGTH)
    return {
      problems: [`The identity providers have more than ${MAX_PROVIDERS_LENGTH} characters. Shorten their keys.`],
    };
  const problems = list.flatMap((provider, index) => problemsOf(provider, index + 1));
  if (problems.length > 0) return { problems };
  const providers = list.map((provider) =>
    z.parse(z.discriminatedUnion('kind', [jwtProvider, oidcProvider]), provider),
  );
  const duplicates = duplicatesIn(providers);
  return duplicates.length > 0 ? { problems: duplicates } : { providers };
}

/** As `readIdentityProviders`, of JSON text. Empty text: none. */
export function parseIdentityProviders(text: string): ReturnType<typeof readIdentityProviders> {
  if (text.trim() === '') return { providers: [] };
  try {
    return readIdentityProviders(JSON.parse(text));
  } catch {
    return { problems: ['Identity providers must be valid JSON.'] };
  }
}

/**
 * Issuers that anybody can get a token of, and the claims of which one names whose token it is. Names of repositories and
 * projects can be given away and taken by others; ids cannot. Not `sub`: at GitHub its owner chooses the format.
 */
export const publicIssuers: Readonly<Record<string, readonly string[]>> = {
  'https://token.actions.githubusercontent.com': [
    'repository_id',
    'repository_owner_id',
    'repository',
    'repository_owner',
    'enterprise_id',
  ],
  'https://gitlab.com': ['project_id', 'namespace_id', 'project_path', 'namespace_path'],
  'https://accounts.google.com': ['sub', 'email', 'hd'],
  'https://app.terraform.io': [
    'terraform_organization_id',
    'terraform_organization_name',
    'terraform_project_id',
    'terraform_workspace_id',
  ],
  'https://agent.buildkite.com': ['organization_id', 'organization_slug'],
};
