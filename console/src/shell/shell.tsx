import { Suspense, useEffect } from 'react'
import { Route, Switch, useLocation } from 'wouter'
import { Crash } from '../design/crash.tsx'
import { Frame } from '../design/frame/frame.tsx'
import { NoSuchPage } from '../design/no-such-page.tsx'
import { PageSkeleton } from '../design/page-skeleton.tsx'
import * as Pages from '../pages/pages.ts'
import { Balance } from './balance.tsx'
import { Bell } from './bell.tsx'
import { Nav } from './nav.tsx'

/** Every page of a signed-in person: the balance and the way to each page always in sight. */
export function Shell() {
  const [location] = useLocation()
  useEffect(Pages.warmAllWhenIdle, [])
  return (
    <Frame status={<Balance />} menu={<Nav />} bell={<Bell />}>
      <Crash at={location} onRetry={Pages.forgetFailures}>
        <Suspense fallback={<PageSkeleton />}>
          <Switch>
            <Route path="/" component={Pages.Overview} />
            <Route path="/recharge" component={Pages.Recharge} />
            <Route path="/usage" component={Pages.Usage} />
            <Route path="/usage/:chargeId" component={Pages.Receipt} />
            <Route path="/ledger" component={Pages.Ledger} />
            <Route path="/reviews" component={Pages.Reviews} />
            <Route path="/keys" component={Pages.Keys} />
            <Route path="/playground/:operation?" component={Pages.Playground} />
            <Route path="/media" component={Pages.Media} />
            <Route path="/webhooks" component={Pages.Webhooks} />
            <Route path="/pricing" component={Pages.Pricing} />
            <Route path="/events" component={Pages.Events} />
            <Route path="/alerts" component={Pages.Alerts} />
            <Route path="/account" component={Pages.Account} />
            <Route component={NoSuchPage} />
          </Switch>
        </Suspense>
      </Crash>
    </Frame>
  )
}
