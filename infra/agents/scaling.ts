import { Duration, Stack } from 'aws-cdk-lib';
import {
  AdjustmentType,
  ScalableTarget,
  ServiceNamespace,
  StepScalingAction,
} from 'aws-cdk-lib/aws-applicationautoscaling';
import { Alarm, ComparisonOperator, type Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { ApplicationScalingAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { Cluster, FargateService } from 'aws-cdk-lib/aws-ecs';
import { Role } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';

/** Streams of a container on average, above which there is one more. It holds 10,000 with 1 GB (measured). */
const TARGET_STREAMS = 7000;

/** Below this, one container fewer is enough, and the others stay below the target. */
const FEW_STREAMS = 3000;

/** Containers at most. */
const MAX_TASKS = 20;

/**
 * The role that Application Auto Scaling creates for itself, and uses for services of ECS whatever role a target names.
 * https://docs.aws.amazon.com/autoscaling/application/userguide/application-auto-scaling-service-linked-roles.html
 */
const OWN_ROLE = {
  service: 'iam',
  region: '',
  resource: 'role/aws-service-role/ecs.application-autoscaling.amazonaws.com',
  resourceName: 'AWSServiceRoleForApplicationAutoScaling_ECSService',
};

interface ScalingProps {
  cluster: Cluster;
  service: FargateService;
  least: number;
  /** Streams of a container on average. */
  streams: Metric;
}

/**
 * Adds containers quickly, and removes at most one in half an hour: each removal ends the streams of its agents, and older
 * agents restart their exporters then.
 */
export function scaleByStreams(scope: Construct, { cluster, service, least, streams }: ScalingProps): void {
  const target = new ScalableTarget(scope, 'Scaling', {
    serviceNamespace: ServiceNamespace.ECS,
    scalableDimension: 'ecs:service:DesiredCount',
    resourceId: `service/${cluster.clusterName}/${service.serviceName}`,
    minCapacity: least,
    maxCapacity: Math.max(MAX_TASKS, least),
    // Without one, the CDK makes a role that nothing uses.
    role: Role.fromRoleArn(scope, 'ScalingRole', Stack.of(scope).formatArn(OWN_ROLE)),
  });
  target.scaleToTrackMetric('Streams', {
    customMetric: streams,
    targetValue: TARGET_STREAMS,
    disableScaleIn: true,
    scaleOutCooldown: Duration.minutes(1),
  });
  const removal = new StepScalingAction(scope, 'Fewer', {
    scalingTarget: target,
    adjustmentType: AdjustmentType.CHANGE_IN_CAPACITY,
    cooldown: Duration.minutes(30),
  });
  removal.addAdjustment({ adjustment: -1, upperBound: 0 });
  new Alarm(scope, 'FewStreams', {
    alarmDescription: 'The agent gateway has more containers than it needs. It removes one in half an hour.',
    metric: streams.with({ period: Duration.minutes(5) }),
    threshold: FEW_STREAMS,
    comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
    evaluationPeriods: 6,
    treatMissingData: TreatMissingData.NOT_BREACHING,
  }).addAlarmAction(new ApplicationScalingAction(removal));
}
