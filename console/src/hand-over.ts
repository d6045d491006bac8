import { useEffect, useState } from 'react'

/** Something secret on its way from one page to the next: in memory alone, and forgotten once it has arrived. */
export interface HandOver<T> {
  readonly give: (value: T) => void
  /** What was given, on the page that it was meant for; null when nothing was. */
  readonly useGiven: () => T | null
}

export function createHandOver<T>(): HandOver<T> {
  let given: T | null = null
  return {
    give(value) {
      given = value
    },
    useGiven() {
      // Read while rendering, which may happen more than once, and forgotten only when the page really is there.
      const [value] = useState(() => given)
      useEffect(() => {
        given = null
      }, [])
      return value
    },
  }
}
