package svc.management.tool;

import java.util.List;

/** Tools over one service; each bean of this type is served. */
public interface ToolGroup {
    List<Tool> tools();
}
