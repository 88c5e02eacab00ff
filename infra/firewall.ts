import { Names } from 'aws-cdk-lib';
import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';

/** Requests of one client address in five minutes, that is 20 a second. */
const REQUESTS_PER_ADDRESS = 6000;

/**
 * Rules that only count. Bodies are JSON that every endpoint checks against its schema: an inventory is full of addresses and
 * URLs that look like attacks, and may be larger than the 8 KB that the rules allow, an import 2 MB. Paths may end with a
 * name, which may be anything, also `db.ini` or 300 letters of nine bytes each. And a client without a name is fine.
 * https://docs.aws.amazon.com/waf/latest/developerguide/aws-managed-rule-groups-baseline.html
 */
const COUNTED_RULES = [
  'NoUserAgent_HEADER',
  'SizeRestrictions_BODY',
  'EC2MetaDataSSRF_BODY',
  'GenericLFI_BODY',
  'GenericRFI_BODY',
  'CrossSiteScripting_BODY',
  'SizeRestrictions_URIPATH',
  'RestrictedExtensions_URIPATH',
  'GenericLFI_URIPATH',
  'GenericRFI_URIPATH',
  'CrossSiteScripting_URIPATH',
];

function visibility(metricName: string) {
  return { metricName, cloudWatchMetricsEnabled: true, sampledRequestsEnabled: false };
}

/**
 * AWS WAF on the API's stage, where it also meets requests that go around CloudFront. What it refuses is answered by the
 * gateway in our shape (WAF_FILTERED). Requests are not sampled: samples hold headers.
 */
export class Firewall extends Construct {
  constructor(scope: Construct, id: string, { api }: { api: RestApi }) {
    super(scope, id);
    const acl = new CfnWebACL(this, 'Acl', {
      scope: 'REGIONAL',
      defaultAction: { allow: {} },
      visibilityConfig: visibility(Names.uniqueResourceName(this, { maxLength: 64 })),
      rules: [
        {
          name: 'requests-per-address',
          priority: 0,
          action: { block: {} },
          statement: {
            rateBasedStatement: {
              limit: REQUESTS_PER_ADDRESS,
              evaluationWindowSec: 300,
              // Behind CloudFront the sender is CloudFront. The header can be forged by who goes around it, so that this slows
              // down the careless; the stage's throttle holds for everybody.
              aggregateKeyType: 'FORWARDED_IP',
              forwardedIpConfig: { headerName: 'X-Forwarded-For', fallbackBehavior: 'NO_MATCH' },
            },
          },
          visibilityConfig: visibility('requests-per-address'),
        },
        {
          name: 'common',
          priority: 1,
          overrideAction: { none: {} },
          statement: {
            managedRuleGroupStatement: {
              vendorName: 'AWS',
              name: 'AWSManagedRulesCommonRuleSet',
              ruleActionOverrides: COUNTED_RULES.map((name) => ({ name, actionToUse: { count: {} } })),
            },
          },
          visibilityConfig: visibility('common'),
        },
      ],
    });
    new CfnWebACLAssociation(this, 'Association', {
      resourceArn: api.deploymentStage.stageArn,
      webAclArn: acl.attrArn,
    });
  }
}
