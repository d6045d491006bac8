import { median } from '../statistics.ts'
import type { Load } from './measure-load.ts'

export interface BenchedPage {
  readonly path: string
  readonly isSignedIn: boolean
  readonly goals: Readonly<Partial<Record<keyof Load, number>>>
}

const consoleGoals = { firstPaintMs: 2500, readyMs: 3500, layoutShift: 0.05, blockedMs: 600, bytes: 200_000 } as const
const docsGoals = { firstPaintMs: 2500, readyMs: 5000, layoutShift: 0.05, blockedMs: 600, bytes: 400_000 } as const

/** The page at `/` and those that people open without an account. */
const publicGoals = { firstPaintMs: 1500, readyMs: 2500, layoutShift: 0.05, blockedMs: 600, bytes: 60_000 } as const

const signedOut = ['/console/sign-in', '/console/register']
const signedIn = [
  '/console',
  '/console/recharge',
  '/console/usage',
  '/console/ledger',
  '/console/reviews',
  '/console/keys',
  '/console/playground/model.chat',
  '/console/pricing',
  '/console/account',
  '/console/proof',
  '/console/webhooks',
  '/console/media',
  '/console/events',
  '/console/alerts',
]

/** Every page, each opened as if it were the first. */
export const pages: readonly BenchedPage[] = [
  ...signedOut.map((path) => ({ path, isSignedIn: false, goals: consoleGoals })),
  ...signedIn.map((path) => ({ path, isSignedIn: true, goals: consoleGoals })),
  ...['/', '/pricing', '/verify'].map((path) => ({ path, isSignedIn: false, goals: publicGoals })),
  ...['/docs/en', '/docs/zh'].map((path) => ({ path, isSignedIn: false, goals: docsGoals })),
]

export const middle = (loads: readonly Load[], name: keyof Load) => median(loads.map((load) => load[name]))

export const isMissed = ({ page, loads }: { page: BenchedPage; loads: readonly Load[] }) =>
  Object.entries(page.goals).some(([name, most]) => middle(loads, name as keyof Load) > most)
