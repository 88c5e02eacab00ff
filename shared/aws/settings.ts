import * as z from 'zod/mini';
import type { JsonServiceSettings } from './json-service.ts';

/** Lambda sets these variables for a function, and the local server for itself. */
const environmentSchema = z.object({
  AWS_REGION: z.string(),
  AWS_ACCESS_KEY_ID: z.string(),
  AWS_SECRET_ACCESS_KEY: z.string(),
  AWS_SESSION_TOKEN: z.optional(z.string()),
});

/** https://docs.aws.amazon.com/general/latest/gr/rande.html */
export function publicEndpoint(service: string, region: string): string {
  return `https://${service}.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
}

/**
 * Region, credentials and endpoint of a service from the environment.
 *
 * @param names the variables that set another endpoint: the first one that is set applies.
 */
export function settingsOf(
  service: string,
  environment: NodeJS.ProcessEnv,
  ...names: string[]
): Pick<JsonServiceSettings, 'service' | 'region' | 'endpoint' | 'credentials'> {
  const of = z.parse(environmentSchema, environment);
  const { AWS_REGION: region, AWS_SESSION_TOKEN: token } = of;
  const [given] = [...names, 'AWS_ENDPOINT_URL'].flatMap((name) => environment[name] ?? []);
  return {
    service,
    region,
    endpoint: given ?? publicEndpoint(service, region),
    credentials: {
      accessKeyId: of.AWS_ACCESS_KEY_ID,
      secretAccessKey: of.AWS_SECRET_ACCESS_KEY,
      ...(token === undefined || token === '' ? {} : { sessionToken: token }),
    },
  };
}
