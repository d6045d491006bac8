import { type ComponentType, lazy } from 'react'

/** Each page is loaded when it is first needed, or a moment before. */
const loaders = {
  overview: async () => ({ default: (await import('./overview/overview.tsx')).Overview }),
  recharge: async () => ({ default: (await import('./recharge/recharge.tsx')).Recharge }),
  usage: async () => ({ default: (await import('./usage/usage.tsx')).Usage }),
  receipt: async () => ({ default: (await import('./receipt/receipt.tsx')).Receipt }),
  ledger: async () => ({ default: (await import('./ledger/ledger.tsx')).Ledger }),
  reviews: async () => ({ default: (await import('./reviews/reviews.tsx')).Reviews }),
  keys: async () => ({ default: (await import('./keys/keys.tsx')).Keys }),
  playground: async () => ({ default: (await import('./playground/playground.tsx')).Playground }),
  pricing: async () => ({ default: (await import('./pricing/pricing.tsx')).Pricing }),
  account: async () => ({ default: (await import('./account/account.tsx')).Account }),
} satisfies Record<string, () => Promise<{ default: ComponentType }>>

export type PageName = keyof typeof loaders

/** Fetches a page that is likely to be wanted next. A failure shows when it is really wanted. */
export const warm = (name: PageName): void => void loaders[name]().catch(() => {})

export const Overview = lazy(loaders.overview)
export const Recharge = lazy(loaders.recharge)
export const Usage = lazy(loaders.usage)
export const Receipt = lazy(loaders.receipt)
export const Ledger = lazy(loaders.ledger)
export const Reviews = lazy(loaders.reviews)
export const Keys = lazy(loaders.keys)
export const Playground = lazy(loaders.playground)
export const Pricing = lazy(loaders.pricing)
export const Account = lazy(loaders.account)
export const SignIn = lazy(async () => ({ default: (await import('./auth/sign-in.tsx')).SignIn }))
export const Register = lazy(async () => ({ default: (await import('./auth/register.tsx')).Register }))
