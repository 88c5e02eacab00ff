import type { ReactNode } from 'react';

export function Notice({ type, children }: { type: 'error' | 'info'; children: ReactNode }) {
  return (
    <p className={`login-notice login-notice-${type}`} role={type === 'error' ? 'alert' : 'status'}>
      {children}
    </p>
  );
}
