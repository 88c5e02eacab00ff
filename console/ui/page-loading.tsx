import Box from '@cloudscape-design/components/box';
import Spinner from '@cloudscape-design/components/spinner';

export function PageLoading() {
  return (
    <Box padding="xxl" textAlign="center">
      <span role="status">
        <Spinner /> Loading
      </span>
    </Box>
  );
}
