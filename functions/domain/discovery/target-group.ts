import * as z from 'zod/mini';

/** The name of a Prometheus label. https://prometheus.io/docs/concepts/data_model/ */
const promLabelName = z.string().check(z.regex(/^[a-zA-Z_][a-zA-Z0-9_]*$/));

/** https://prometheus.io/docs/prometheus/latest/http_sd/ */
export const targetGroupSchema = z
  .strictObject({
    targets: z
      .array(z.string())
      .check(z.length(1), z.meta({ description: 'Host and port of the agent; an IPv6 address is in brackets.' })),
    labels: z.record(promLabelName, z.string()).check(
      z.meta({
        description:
          '`__metrics_path__`, `__scheme__`, `job`, and the attributes of the inventory as `__meta_inventory_...`.',
      }),
    ),
  })
  .register(z.globalRegistry, { id: 'Target_group', description: 'One agent as a target of Prometheus.' });

export type TargetGroup = z.output<typeof targetGroupSchema>;

/** Labels to which Prometheus or VictoriaMetrics give a meaning: target and job, buckets and quantiles, tenants. */
export const scraperLabels: readonly string[] = 'instance job le quantile vmrange vm_account_id vm_project_id'.split(
  ' ',
);
