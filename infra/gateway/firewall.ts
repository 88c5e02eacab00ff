import type { RestApiBase } from 'aws-cdk-lib/aws-apigateway';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import { ORIGIN_HEADER, VIEWER_HEADER } from '../../shared/http/source-address.ts';
import { shortName } from '../settings/names.ts';
import type { OriginSecret } from './origin-secret.ts';

/**
 * Rules that only count. Every endpoint validates its JSON body. An inventory contains many addresses and URLs that
 * look like attacks, and bodies may exceed the 8 KB that the rules permit (an import has up to 2 MB). Paths may end
 * with a name, which is free text, such as `db.ini` or 300 percent-encoded letters of nine bytes each. Clients without
 * a User-Agent are permitted.
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

export interface FirewallProps {
  readonly api: RestApiBase;
  /** Undefined without CloudFront. */
  readonly originSecret: OriginSecret | undefined;
  /** Within five minutes; more are refused. */
  readonly requestsPerAddress: number;
}

type Statement = CfnWebACL.StatementProperty;

/** Whether CloudFront has sent the request: nobody else knows the secret. */
const isFromCloudFront = ({ reference }: OriginSecret): Statement => ({
  byteMatchStatement: {
    fieldToMatch: { singleHeader: { Name: ORIGIN_HEADER.toLowerCase() } },
    positionalConstraint: 'EXACTLY',
    searchString: reference,
    textTransformations: [{ priority: 0, type: 'NONE' }],
  },
});

/**
 * Requests are counted by the address of the viewer, which CloudFront writes, or by the address that has connected to the gateway. Not by
 * X-Forwarded-For, whose first address a client chooses: it could exceed the limit, or use up that of others.
 */
function rateRules({ originSecret, requestsPerAddress }: FirewallProps): CfnWebACL.RuleProperty[] {
  const limits = { limit: requestsPerAddress, evaluationWindowSec: 300 } as const;
  if (originSecret === undefined)
    return [{ name: 'requests-per-address', limited: { ...limits, aggregateKeyType: 'IP' } }].map(rateRule);
  const fromCloudFront = isFromCloudFront(originSecret);
  const byViewer = {
    ...limits,
    aggregateKeyType: 'FORWARDED_IP',
    forwardedIpConfig: { headerName: VIEWER_HEADER, fallbackBehavior: 'NO_MATCH' },
    scopeDownStatement: fromCloudFront,
  };
  const byPeer = {
    ...limits,
    aggregateKeyType: 'IP',
    scopeDownStatement: { notStatement: { statement: fromCloudFront } },
  };
  return [
    { name: 'requests-per-viewer', limited: byViewer },
    { name: 'requests-per-address', limited: byPeer },
  ].map(rateRule);
}

function rateRule(
  { name, limited }: { name: string; limited: CfnWebACL.RateBasedStatementProperty },
  priority: number,
): CfnWebACL.RuleProperty {
  return {
    name,
    priority,
    action: { block: {} },
    statement: { rateBasedStatement: limited },
    visibilityConfig: visibility(name),
  };
}

/**
 * AWS WAF on the API's stage, where it also filters requests that bypass CloudFront. For refused requests, the gateway
 * replies in our format (WAF_FILTERED). Requests are not sampled, because samples contain headers.
 */
export class Firewall extends Construct {
  constructor(scope: Construct, id: string, props: FirewallProps) {
    super(scope, id);
    const rates = rateRules(props);
    const acl = new CfnWebACL(this, 'Acl', {
      scope: 'REGIONAL',
      defaultAction: { allow: {} },
      visibilityConfig: visibility(shortName(this, 'firewall')),
      rules: [
        ...rates,
        {
          name: 'common',
          priority: rates.length,
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
      resourceArn: props.api.deploymentStage.stageArn,
      webAclArn: acl.attrArn,
    });
  }
}
