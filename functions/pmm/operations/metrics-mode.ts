import { enumerations, valueIn } from '../declarations/enums.ts';
import { type Fields, flagIn, given } from '../wire/input.ts';

/** The options of an exporter that follow from the metrics mode of a request. */
export interface MetricsOptions {
  push_metrics: boolean;
  expose_exporter: boolean;
}

/**
 * AUTO leaves the choice to the server: it is pull, because nobody takes pushed metrics here. A request that names pull has a
 * scraper on another host, so its exporter is exposed as in PMM; AUTO exposes nothing.
 */
export function metricsOptions(message: Fields): MetricsOptions {
  const mode = valueIn(enumerations.metrics_mode, given(message, 'metrics_mode'));
  return { push_metrics: mode === 'push', expose_exporter: mode === 'pull' || flagIn(message, 'expose_exporter') };
}
