import '@fontsource-variable/inter/wght.css';
import './styles/tokens.css';
import './styles/page.css';
import './ui/pill.css';
import './ui/card.css';
import './ui/table.css';
import './ui/tabs.css';
import './ui/bar.css';
import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { askedEarly } from './call/early.ts';
import { Problem } from './call/problem.ts';
import { asking } from './call/use-call.ts';
import { applyTheme } from './frame/theme.ts';
import { watchSession } from './frame/watch-session.ts';
import { router } from './router.ts';
import { Toasts } from './ui/toast.tsx';

const signIn = (): void =>
  location.replace(`/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`);

applyTheme();
const client = new QueryClient({
  queryCache: new QueryCache({
    onError: (error) => {
      if (error instanceof Problem && error.status === 401) signIn();
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (failures, error) =>
        error instanceof Problem && [0, 429, 503].includes(error.status) && failures < 2,
    },
  },
});
watchSession(client, signIn);
// Nothing shows before the screen and who is signed in are known, so the first drawing waits for them, and is whole.
const [, , org = ''] = location.pathname.split('/');
const answers = new Map(
  askedEarly().map(({ name, input }) => [name, client.prefetchQuery(asking(org, name, input))]),
);
void Promise.all([router.load(), answers.get('get_me')]).finally(draw);

function draw(): void {
  createRoot(document.querySelector('#root')!).render(
    <StrictMode>
      <CSPProvider disableStyleElements>
        <QueryClientProvider client={client}>
          <Toasts>
            <RouterProvider router={router} />
          </Toasts>
        </QueryClientProvider>
      </CSPProvider>
    </StrictMode>,
  );
}
