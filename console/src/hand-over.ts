import { useEffect, useState } from 'react'

/** Something secret on its way from one page to the next: in memory alone, and forgotten once it has arrived. */
interface HandOver<T> {
  readonly give: (value: T) => void
  /** What was given, on the page that it was meant for; null when nothing was. */
  readonly useGiven: () => T | null
}

function createHandOver<T>(): HandOver<T> {
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

/** A key that was just created, on its way to the playground. */
export const handedKey = createHandOver<string>()

export interface HandedCredentials {
  readonly identifier: string
  readonly password: string
  /** What the sign-in page says about them. */
  readonly notice: 'afterUnknown' | 'afterUnknownChange' | 'afterRecovery'
}

/** What was typed to register or to recover, on its way to the sign-in form. */
export const handedCredentials = createHandOver<HandedCredentials>()

/** What was typed to sign in, on its way to recovery. */
export const handedIdentifier = createHandOver<string>()
