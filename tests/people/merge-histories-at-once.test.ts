import { allAtOnce, judgeHistories } from './merge-histories.ts';

judgeHistories('16 calls at once', allAtOnce);
