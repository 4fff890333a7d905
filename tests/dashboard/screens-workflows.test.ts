import { lookAt } from './look-at.ts';
import { screensOf } from './screens.ts';

lookAt(screensOf.workflows);
