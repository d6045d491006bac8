import type { ComponentType, ReactNode } from 'react'

export interface CallProps {
  readonly chargeId: string
  readonly className?: string | undefined
  readonly children: ReactNode
}

/** How a table names a call: as a link to its details where there is such a page. */
export type Call = ComponentType<CallProps>

export const plainCall: Call = ({ children }) => children
