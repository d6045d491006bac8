/** A heading, a tall sheet and a second one: what most pages begin with. */
export const PageSkeleton = ({ label }: { label?: string }) => (
  <div className="skeleton-page" {...(label && { role: 'status', 'aria-label': label })}>
    <span className="skeleton-title" />
    <span className="skeleton-sheet" />
    <span className="skeleton-sheet" />
  </div>
)
