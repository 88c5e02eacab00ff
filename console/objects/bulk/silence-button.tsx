import Button, { type ButtonProps } from '@cloudscape-design/components/button';
import { type ComponentProps, lazy, Suspense, useState } from 'react';
import { endpoint as addSilence } from '../../../functions/api/silences/add/endpoint.ts';
import { useMay } from '../../ui/caller-context.tsx';

const Form = lazy(async () => ({ default: (await import('./silence-dialog.tsx')).SilenceDialog }));

/** The form for a silence, loaded with its first use: a page does not need it. */
export const SilenceForm = (props: ComponentProps<typeof Form>) => (
  <Suspense>
    <Form {...props} />
  </Suspense>
);

interface Props extends Pick<ButtonProps, 'variant' | 'children'> {
  selector: string;
}

/** Opens the form for a silence, for users who may add one. */
export function SilenceButton({ selector, children = 'Silence', variant = 'normal' }: Props) {
  const mayAdd = useMay(addSilence);
  const [open, setOpen] = useState(false);
  if (!mayAdd) return null;
  return (
    <>
      <Button variant={variant} onClick={() => setOpen(true)}>
        {children}
      </Button>
      {open && <SilenceForm selector={selector} close={() => setOpen(false)} />}
    </>
  );
}
