import { PageHeading } from '../../parts/page-heading.tsx';

export function StartView() {
  return <PageHeading title="Set up" />;
}
