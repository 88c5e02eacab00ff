import Box from '@cloudscape-design/components/box';
import type { ReactNode } from 'react';

/** A line of secondary text. */
export const Small = ({ children }: { children: ReactNode }) => (
  <Box variant="small" display="block">
    {children}
  </Box>
);
