import * as z from 'zod/mini';

/** The name of a Prometheus label. https://prometheus.io/docs/concepts/data_model/ */
const promLabelName = z.string().check(z.regex(/^[a-zA-Z_][a-zA-Z0-9_]*$/));

/** https://prometheus.io/docs/prometheus/latest/http_sd/ */
export const targetGroupSchema = z
  .strictObject({
    targets: z
      .array(z.string())
      .check(
        z.length(1),
        z.meta({ description: 'Host and port where the agent listens; an IPv6 address stands in brackets.' }),
      ),
    labels: z.record(promLabelName, z.string()).check(
      z.meta({
        description: '`__metrics_path__`, `__scheme__`, `job`, and what the inventory knows as `__meta_inventory_...`.',
      }),
    ),
  })
  .register(z.globalRegistry, { id: 'Target_group', description: 'One agent as Prometheus scrapes it.' });

export type TargetGroup = z.output<typeof targetGroupSchema>;
