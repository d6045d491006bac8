import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import { Brand } from '../brand.tsx'
import { PageSkeleton } from '../page-skeleton.tsx'

interface SkeletonProps {
  readonly label: string
  /** In place of a page that is yet to come. */
  readonly children?: ReactNode
}

/** The frame of the console before anything is known. index.html has the same, for the time before the script runs. */
export function Skeleton({ label, children }: SkeletonProps) {
  const [location] = useLocation()
  const isBeforeSignIn = location === '/sign-in' || location === '/register'
  return (
    <div className="skeleton" data-page={isBeforeSignIn ? 'auth' : 'console'}>
      <div className="skeleton-side">
        <Brand />
      </div>
      <main className="skeleton-main">{children ?? <PageSkeleton label={label} />}</main>
    </div>
  )
}
