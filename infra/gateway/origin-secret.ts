import { RemovalPolicy, Validations } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { VIEWER_HEADER } from '../../shared/http/source-address.ts';

/** Letters and digits, which the variables of a stage accept: 285 bits. */
const SECRET_LENGTH = 48;

/**
 * The secret that CloudFront sends to the gateway with each request, so that a direct caller cannot claim to be CloudFront and choose
 * the address that the audit and the firewall see. It opens nothing: every request still needs its credentials.
 */
export class OriginSecret extends Secret {
  /** The value, which CloudFormation inserts when it deploys. The template contains a reference only. */
  readonly reference: string;

  constructor(scope: Construct, id: string, key: IKey | undefined) {
    super(scope, id, {
      description: 'Proves to the API of the monitoring inventory that a request comes through CloudFront',
      generateSecretString: { excludePunctuation: true, passwordLength: SECRET_LENGTH },
      // Another stack makes another one.
      removalPolicy: RemovalPolicy.DESTROY,
      ...(key === undefined ? {} : { encryptionKey: key }),
    });
    this.reference = this.secretValue.unsafeUnwrap();
    Validations.of(this).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason:
        'CloudFormation copies the value to CloudFront, the gateway and the firewall at once. It gives no access.',
    });
  }
}

/** The source of the CloudFront function that writes the address of the viewer. CloudFront's names of headers are in lower case. */
export const viewerAddressCode = `function handler(event) {
  const request = event.request;
  request.headers['${VIEWER_HEADER.toLowerCase()}'] = { value: event.viewer.ip };
  return request;
}
`;
