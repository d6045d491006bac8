import { Link } from 'wouter'
import type { CallProps } from '../design/tables/call.ts'
import { useHere } from '../way-back.ts'

/** Leads to the details of a call, from where there is a way back to the same list. */
export function CallLink({ chargeId, className, children }: CallProps) {
  return (
    <Link href={`/usage/${chargeId}`} state={useHere()} {...(className && { className })}>
      {children}
    </Link>
  )
}
