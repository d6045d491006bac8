import { Link } from 'wouter'
import { shortId } from './short-id.ts'

/** Leads to the account of a project. */
export const ProjectLink = ({ projectId }: { projectId: string }) => (
  <Link href={`/projects/${projectId}`} title={projectId}>
    <code>{shortId(projectId)}</code>
  </Link>
)
