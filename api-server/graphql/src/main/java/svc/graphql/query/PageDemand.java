package svc.graphql.query;

import java.util.ArrayList;
import java.util.List;
import svc.graphql.plan.ConnectionPlan;
import svc.graphql.plan.ConnectionPlan.EdgeOutput;
import svc.graphql.plan.ConnectionPlan.Output;
import svc.graphql.plan.ConnectionPlan.PageInfoOutput;
import svc.graphql.plan.Page;

/**
 * What must be known of the rows of a page for the selected fields; the rest is not computed.
 *
 * @param rows whether any field is about the page
 * @param cursors whether rows need their cursors
 * @param oneMore whether one row behind the page is read, to know that it exists
 * @param numbered whether rows need their numbers, in the order of reading
 * @param nodes the selected nodes, each of which is one column of the page
 */
record PageDemand(boolean rows, boolean cursors, boolean oneMore, boolean numbered, List<EdgeOutput.Node> nodes) {
    PageDemand {
        nodes = List.copyOf(nodes);
    }

    static PageDemand of(ConnectionPlan plan) {
        Page page = plan.page();
        List<EdgeOutput.Node> nodes = new ArrayList<>();
        boolean rows = false;
        boolean cursors = false;
        boolean ends = false;
        boolean more = false;
        for (Output output : plan.outputs()) {
            if (output instanceof Output.Edges all) {
                rows = true;
                for (EdgeOutput edge : all.outputs()) {
                    cursors |= edge instanceof EdgeOutput.Cursor;
                    if (edge instanceof EdgeOutput.Node node) {
                        nodes.add(node);
                    }
                }
            } else if (output instanceof Output.PageInfo info) {
                rows = true;
                for (PageInfoOutput one : info.outputs()) {
                    switch (one.kind()) {
                        case START_CURSOR, END_CURSOR -> ends = true;
                        case HAS_NEXT_PAGE -> more |= !page.backward();
                        case HAS_PREVIOUS_PAGE -> more |= page.backward();
                        case TYPENAME -> {}
                    }
                }
            }
        }
        return new PageDemand(rows, cursors || ends, more, ends || more || page.backward(), nodes);
    }
}
