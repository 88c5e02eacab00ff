import Button, { type ButtonProps } from '@cloudscape-design/components/button';
import { type ComponentProps, lazy, Suspense, useState } from 'react';
import { endpoint as addSilence } from '../../../functions/api/silences/add/endpoint.ts';
import type { Node } from '../../model/kinds.tsx';
import { useMay } from '../../ui/caller-context.tsx';
import { flash } from '../../ui/flash.ts';
import { failureOf } from '../../ui/use-load.tsx';

const Form = lazy(async () => ({ default: (await import('./silence-dialog.tsx')).SilenceDialog }));

/** The form for a silence, loaded with its first use: a page does not need it. */
export const SilenceForm = (props: ComponentProps<typeof Form>) => (
  <Suspense>
    <Form {...props} />
  </Suspense>
);

interface Props extends Pick<ButtonProps, 'variant' | 'children'> {
  selector: string;
  /** Reads the nodes that the form offers to silence, too. */
  loadNodes?: (signal: AbortSignal) => Promise<readonly Node[]>;
}

/** Opens the form for a silence, for users who may add one. */
export function SilenceButton({ selector, loadNodes, children = 'Silence', variant = 'normal' }: Props) {
  const mayAdd = useMay(addSilence);
  const [withNodes, setWithNodes] = useState<readonly Node[]>();
  const [loading, setLoading] = useState(false);
  if (!mayAdd) return null;
  const open = async () => {
    setLoading(true);
    try {
      setWithNodes((await loadNodes?.(new AbortController().signal)) ?? []);
    } catch (error) {
      flash.add({ type: 'error', content: failureOf(error).message });
    }
    setLoading(false);
  };
  return (
    <>
      <Button variant={variant} loading={loading} onClick={() => void open()}>
        {children}
      </Button>
      {withNodes !== undefined && (
        <SilenceForm selector={selector} nodes={withNodes} close={() => setWithNodes(undefined)} />
      )}
    </>
  );
}
