import '../design/tokens.css'
import '../design/base.css'
import '../design/page-notice.css'
import '../design/skeleton.css'
import { StrictMode, startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { reloadForLinks, takeFromFragment } from '../api/link-fragment.ts'
import { startI18n } from '../i18n/i18n.ts'
import { operatorSession } from './api/session.ts'
import { OperatorApp } from './operator-app.tsx'
import { isAlone } from './pages/pages.ts'
import { loadStartWords } from './start-words.ts'

// First, so that the token stays neither in the address bar nor in the history.
const linkToken = location.pathname === '/sign-in' ? takeFromFragment('token') : null
reloadForLinks('token')
const needsSession = linkToken === null && !isAlone(location.pathname)
await Promise.all([needsSession && operatorSession.refresh(), startI18n(loadStartWords)])
const root = createRoot(document.getElementById('root')!)
// As a transition React renders in small slices, so that the page stays responsive.
startTransition(() =>
  root.render(
    <StrictMode>
      <OperatorApp linkToken={linkToken} />
    </StrictMode>,
  ),
)
