import { Sha256 } from '@smithy/core/checksum';
import { HttpRequest } from '@smithy/core/protocols';
import { SignatureV4 } from '@smithy/signature-v4';
import { timeLimit } from '../core/monotonic-clock.ts';

/** As Lambda sets it: credentials and region. AWS_ENDPOINT_URL replaces the address of AWS. */
type Environment = Readonly<Record<string, string | undefined>>;

const TIMEOUT_MS = 10_000;

const elementIn = (text: string, name: string) => new RegExp(`<${name}>([^<]*)</${name}>`).exec(text)?.[1];

/** The instances in a reply, without those that are terminated. */
function instancesIn(text: string): { id: string; zone: string }[] {
  return text.split(/<\/?member>/).flatMap((member) => {
    const [id, zone = ''] = [elementIn(member, 'InstanceId'), elementIn(member, 'AvailabilityZone')];
    const isEnding = elementIn(member, 'LifecycleState')?.startsWith('Terminat') ?? true;
    return id === undefined || isEnding ? [] : [{ id, zone }];
  });
}

/**
 * Reads the instances of autoscaling groups, without those that are terminated. The client of the SDK for this one call would
 * be several times as large as the rest of its function.
 *
 * https://docs.aws.amazon.com/autoscaling/ec2/APIReference/API_DescribeAutoScalingGroups.html
 */
export function createGroupReader(
  environment: Environment,
): (group: string) => Promise<{ id: string; zone: string }[]> {
  const { AWS_REGION: region = '', AWS_ENDPOINT_URL: url, URL_SUFFIX: suffix = 'amazonaws.com' } = environment;
  const { AWS_ACCESS_KEY_ID: accessKeyId = '', AWS_SECRET_ACCESS_KEY: secretAccessKey = '' } = environment;
  const { AWS_SESSION_TOKEN: sessionToken } = environment;
  const credentials = { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) };
  const signer = new SignatureV4({ service: 'autoscaling', region, sha256: Sha256, credentials });
  return async (group) => {
    const endpoint = new URL(url ?? `https://autoscaling.${region}.${suffix}/`);
    const parameters = {
      Action: 'DescribeAutoScalingGroups',
      Version: '2011-01-01',
      'AutoScalingGroupNames.member.1': group,
    };
    const body = new URLSearchParams(parameters).toString();
    const { method, headers } = await signer.sign(
      new HttpRequest({
        method: 'POST',
        protocol: endpoint.protocol,
        hostname: endpoint.hostname,
        path: '/',
        headers: { host: endpoint.host, 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
        body,
      }),
    );
    const reply = await fetch(endpoint, {
      method,
      headers,
      body,
      signal: timeLimit({}, TIMEOUT_MS),
    });
    const text = await reply.text();
    if (!reply.ok)
      throw new Error(`DescribeAutoScalingGroups was refused: ${reply.status} ${elementIn(text, 'Code') ?? ''}`);
    return instancesIn(text);
  };
}
