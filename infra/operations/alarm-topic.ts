import { Stack, Validations } from 'aws-cdk-lib';
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import { type AlarmRule, descriptionOf } from './alarms.ts';

export interface AlarmTopicProps {
  readonly key: IKey | undefined;
  /** Recipient of the messages; undefined: none. */
  readonly alarmEmail: string | undefined;
}

/** The topic that alarms of this account publish to. */
export class AlarmTopic extends Topic {
  constructor(scope: Construct, id: string, { key, alarmEmail }: AlarmTopicProps) {
    super(scope, id, {
      displayName: 'Monitoring inventory',
      enforceSSL: true,
      ...(key === undefined ? {} : { masterKey: key }),
    });
    const cloudWatch = new ServicePrincipal('cloudwatch.amazonaws.com');
    const conditions = { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } };
    // A resource policy, such as the one that requires TLS, replaces the default that permits alarms to publish.
    this.addToResourcePolicy(
      new PolicyStatement({
        actions: ['sns:Publish'],
        resources: [this.topicArn],
        principals: [cloudWatch],
        conditions,
      }),
    );
    key?.addToResourcePolicy(
      new PolicyStatement({
        actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
        resources: ['*'],
        principals: [cloudWatch],
        conditions,
      }),
    );
    if (alarmEmail !== undefined) {
      this.addSubscription(new EmailSubscription(alarmEmail));
      Validations.of(this).acknowledge({
        id: 'Serverless-SNSRedrivePolicy',
        reason: 'A mail that cannot be delivered loses no information: the alarm stays on, and the dashboard shows it.',
      });
    }
    if (key === undefined)
      Validations.of(this).acknowledge({
        id: 'AwsSolutions-SNS2',
        reason:
          'Messages contain the name of the alarm and nothing of the inventory. Alarms cannot publish with the AWS managed key; customerManagedKey=true encrypts with a key of the account.',
      });
  }
}

/**
 * Without requests there is no data, and no user is affected, except where their absence is the symptom. What runs
 * regularly has none before its first run either, so its alarm then has too little data, without a message.
 */
function treatmentOfNone({ isMinimum, isRegular }: AlarmRule): TreatMissingData {
  if (isMinimum === true) return TreatMissingData.BREACHING;
  return isRegular === true ? TreatMissingData.MISSING : TreatMissingData.NOT_BREACHING;
}

/** Where an alarm sends its messages, and the site with the runbook, without a final slash. */
export interface AlarmContext {
  readonly topic: ITopic;
  readonly siteUrl: string;
}

/** The alarm of a rule on this metric. */
export function addAlarm(scope: Construct, rule: AlarmRule, metric: IMetric, { topic, siteUrl }: AlarmContext): Alarm {
  const [datapointsToAlarm, evaluationPeriods] = rule.periods;
  const inform = new SnsAction(topic);
  const alarm = new Alarm(scope, rule.id, {
    alarmDescription: descriptionOf(rule, siteUrl),
    metric,
    threshold: rule.threshold,
    comparisonOperator:
      rule.isMinimum === true ? ComparisonOperator.LESS_THAN_THRESHOLD : ComparisonOperator.GREATER_THAN_THRESHOLD,
    datapointsToAlarm,
    evaluationPeriods,
    treatMissingData: treatmentOfNone(rule),
  });
  alarm.addAlarmAction(inform);
  alarm.addOkAction(inform);
  if (rule.isRegular === true) alarm.addInsufficientDataAction(inform);
  return alarm;
}
