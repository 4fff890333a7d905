import { judgeHistories, oneByOne } from './merge-histories.ts';

judgeHistories('one call after another', oneByOne);
